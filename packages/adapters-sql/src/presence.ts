/** Whether other processes are at work on a database. */
export type Presence = Readonly<{
	/** Begins to be at work. If nobody else is, `work` is done first, and nobody else begins meanwhile. */
	enter(work: () => Promise<void>): Promise<void>;
	leave(): Promise<void>;
}>;

/** Of a database in memory, which ends with its process: nobody ever finds what another one left. */
export const alwaysPresent: Presence = {enter: async () => {}, leave: async () => {}};
