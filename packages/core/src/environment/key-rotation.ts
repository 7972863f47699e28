import type {Ports} from '../ports/index.ts';

/** Re-encrypts everything under the current master key while readers go on; afterwards the older keys are not needed. */
export type KeyRotation = Readonly<{
	/** @returns how many records were sealed anew. Safe to stop and run again. */
	rotate(): Promise<Readonly<{variables: number; mcp_servers: number; idempotent_answers: number}>>;
}>;

export const createKeyRotation = (
	_needs: Pick<Ports, 'variables' | 'mcpServers' | 'idempotency' | 'cipher'>,
): KeyRotation => {
	throw new Error('not built');
};
