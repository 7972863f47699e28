/**
 * Whether an answer was withheld because its call could not be logged, and none was logged since. Calls are not sent on
 * meanwhile: they would run, and nobody would learn what they did.
 */
export type LogOutage = Readonly<{isOn(): boolean; begin(): void; end(): void}>;

export const createLogOutage = (): LogOutage => {
	let on = false;
	return {
		isOn: () => on,
		begin: () => {
			on = true;
		},
		end: () => {
			on = false;
		},
	};
};
