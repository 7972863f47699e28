import type {VariableRecord} from '../environment/model/variable.ts';
import type {Sealed} from '../values/sealed.ts';

/** Whose variables: a user's own (`team_id` null), or a team's. */
export type VariableOwner = Readonly<{user_id: string; team_id: null}> | Readonly<{team_id: string}>;

/** Who looks: their own variables, and those of their teams. */
export type VariableViewer = Readonly<{user_id: string; team_ids: readonly string[]}>;

/** Environment variables. A key is unique within its owner. */
export type VariableStore = Readonly<{
	/** @throws resource_exists when the owner has the key. */
	create(variable: VariableRecord): Promise<void>;
	get(viewer: VariableViewer, id: string): Promise<VariableRecord | undefined>;
	/** By key, then id. */
	list(viewer: VariableViewer): Promise<readonly VariableRecord[]>;
	update(
		viewer: VariableViewer,
		id: string,
		change: Partial<Pick<VariableRecord, 'value' | 'description' | 'scope' | 'is_secret'>> &
			Pick<VariableRecord, 'updated_at'>,
	): Promise<VariableRecord | undefined>;
	delete(viewer: VariableViewer, id: string): Promise<boolean>;
	/** Those of the named keys that the owner has, whatever their scope. */
	byKeys(owner: VariableOwner, keys: readonly string[]): Promise<readonly VariableRecord[]>;
	/** Up to `limit` records of any tenant whose value another master key than `kid` seals. For key rotation only. */
	sealedOtherwise(kid: string, limit: number): Promise<readonly VariableRecord[]>;
	/** Replaces the sealed value if it still is `from`. For key rotation only. */
	reseal(id: string, from: Sealed, to: Sealed): Promise<boolean>;
}>;
