/** What one user sends to one destination. `user_id` undefined: it was accepted before lanes were those of users. */
export type LaneName = Readonly<{destination_key: string; user_id: string | undefined}>;

/** In no id, and in no origin. */
const separator = '\n';

/** All lanes of a destination lie from its key up to, not including, this one, and nobody else's do. */
export const behindLanes = (destination_key: string): string => `${destination_key}\v`;

/** As it is stored in `destination_key`. */
export const laneKey = ({destination_key, user_id}: LaneName): string =>
	user_id === undefined ? destination_key : `${destination_key}${separator}${user_id}`;

export const readLaneKey = (key: string): LaneName => {
	const end = key.lastIndexOf(separator);
	if (end === -1) return {destination_key: key, user_id: undefined};
	return {destination_key: key.slice(0, end), user_id: key.slice(end + 1)};
};
