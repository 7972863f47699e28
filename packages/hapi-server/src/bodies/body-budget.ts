/** What one body holds of a budget. */
export type Holding = Readonly<{
	/** True at once, or when enough was given back; false when that takes too long. */
	take(bytes: number): true | Promise<boolean>;
	/** The body is whole: it is not given up any more. */
	complete(): void;
	/** Gives back what was taken, and asks for no more. May be called again. */
	release(): void;
}>;

/** Bytes of bodies that may be held in memory at once. Whoever asks for more than is left waits in line. */
export type BodyBudget = Readonly<{
	/** @param owner whose share the body counts towards. */
	open(owner: string, keeper: BodyKeeper): Holding;
}>;

export type BodyKeeper = Readonly<{
	/** Called when the body took longer than the patience to come, and others wait for what it held. */
	giveUp(): void;
}>;

export type BodyBudgetLimits = Readonly<{
	/** In all. Bytes. */
	capacity: number;
	/** Of one owner: nobody's bodies keep those of others out. Bytes. */
	share: number;
	/** How long one may wait for bytes, and how long a body may take to come while others do. Milliseconds. */
	patience_ms: number;
}>;

/** What one owner may hold of it: a quarter, and in any case one body of the largest size. Bytes. */
export const shareOf = (capacity: number, largest: number): number => Math.max(capacity / 4, largest);

type Waiter = Readonly<{body: Body; bytes: number; serve(granted: boolean): void}>;

/** The bodies of one owner. */
type Account = Readonly<{
	/** Not whole yet, the oldest first. */
	coming: Set<Body>;
	line: Set<Waiter>;
}> & {held: number};

/** A class, since there is one for each request. */
class Body implements Holding {
	readonly owner: string;
	readonly account: Account;
	keeper: BodyKeeper | undefined;
	readonly began = performance.now();
	readonly #budget: Budget;
	held = 0;

	constructor(budget: Budget, {owner, account, keeper}: Pick<Body, 'owner' | 'account' | 'keeper'>) {
		this.owner = owner;
		this.account = account;
		this.keeper = keeper;
		this.#budget = budget;
	}

	take(bytes: number): true | Promise<boolean> {
		if (this.account.line.size > 0 || !fits(this.#budget, this.account, bytes)) return join(this.#budget, this, bytes);
		move(this.#budget, this, bytes);
		return true;
	}

	/** Its keeper is let go: what a set once had in it may stay in memory until all garbage is collected. */
	complete(): void {
		this.account.coming.delete(this);
		this.keeper = undefined;
	}

	release(): void {
		release(this.#budget, this);
	}
}

const newAccount = (): Account => ({coming: new Set(), line: new Set(), held: 0});

const isIdle = ({coming, line, held}: Account): boolean => held === 0 && coming.size === 0 && line.size === 0;

type Budget = BodyBudgetLimits &
	Readonly<{
		accounts: Map<string, Account>;
		/** Those in whose line somebody waits. */
		waiting: Set<Account>;
	}> & {held: number};

/** Negative bytes are given back. */
const move = (budget: Budget, body: Body, bytes: number): void => {
	body.held += bytes;
	body.account.held += bytes;
	budget.held += bytes;
};

const fits = ({held, capacity, share}: Budget, account: Account, bytes: number): boolean =>
	held + bytes <= capacity && account.held + bytes <= share;

const serveLines = (budget: Budget): void => {
	for (const account of budget.waiting) {
		for (const {body, bytes, serve} of account.line) {
			if (!fits(budget, account, bytes)) break;
			move(budget, body, bytes);
			serve(true);
		}
	}
};

const release = (budget: Budget, body: Body): void => {
	const {account, owner} = body;
	body.complete();
	for (const waiter of account.line) if (waiter.body === body) waiter.serve(false);
	move(budget, body, -body.held);
	serveLines(budget);
	if (isIdle(account) && budget.accounts.get(owner) === account) budget.accounts.delete(owner);
};

/** Whether the first in line waits for what its own owner holds: what others give up is no help. */
const waitsForShare = ({share}: Budget, {held, line}: Account): boolean => {
	const [first] = line;
	return first !== undefined && held + first.bytes > share;
};

/** Gives bodies up that came too slowly, until the waiter is served. */
const makeRoomFor = (budget: Budget, waiter: Waiter): void => {
	const {account} = waiter.body;
	const before = performance.now() - budget.patience_ms;
	for (const {coming} of waitsForShare(budget, account) ? [account] : [...budget.accounts.values()]) {
		for (const body of coming) {
			if (!account.line.has(waiter) || body.began > before) break;
			if (body === waiter.body || body.held === 0) continue;
			const {keeper} = body;
			release(budget, body);
			keeper?.giveUp();
		}
	}
};

const join = (budget: Budget, body: Body, bytes: number): Promise<boolean> =>
	new Promise((resolve) => {
		const {account} = body;
		const serve = (granted: boolean) => {
			account.line.delete(waiter);
			if (account.line.size === 0) budget.waiting.delete(account);
			clearTimeout(timer);
			resolve(granted);
		};
		const waiter = {body, bytes, serve};
		const timer = setTimeout(() => {
			makeRoomFor(budget, waiter);
			if (account.line.has(waiter)) serve(false);
			serveLines(budget);
		}, budget.patience_ms);
		account.line.add(waiter);
		budget.waiting.add(account);
		makeRoomFor(budget, waiter);
	});

export const createBodyBudget = (limits: BodyBudgetLimits): BodyBudget => {
	const budget: Budget = {...limits, accounts: new Map(), waiting: new Set(), held: 0};
	return {
		open: (owner, keeper) => {
			const account = budget.accounts.get(owner) ?? newAccount();
			budget.accounts.set(owner, account);
			const body = new Body(budget, {owner, account, keeper});
			account.coming.add(body);
			return body;
		},
	};
};
