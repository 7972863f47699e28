/**
 * One refresh token of a family. A family begins at a login; each refresh replaces its head. Only digests are stored:
 * a successor token is derived from the presented one, so the same successor can be answered again within the grace.
 */
export type RefreshToken = Readonly<{
	id: string;
	family_id: string;
	user_id: string;
	token_digest: string;
	created_at: string;
	expires_at: string;
	/** When it was exchanged; its successor is the token whose digest is `successor_digest`. */
	used_at: string | null;
	successor_digest: string | null;
}>;

/** What presenting a refresh token led to. */
export type Rotation =
	/** This call made the successor, or a call within the grace did: answer the pair made at `rotated_at`. */
	| Readonly<{outcome: 'rotated'; user_id: string; family_id: string; successor_digest: string; rotated_at: string}>
	/** The token was used before, longer ago than the grace: its family is revoked now. */
	| Readonly<{outcome: 'reused'; user_id: string; family_id: string}>
	/** Unknown, expired or revoked. */
	| Readonly<{outcome: 'refused'}>;
