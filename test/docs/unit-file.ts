/** A unit file of systemd by sections and names. @throws Error that names a line which is neither. */
export const readUnit = (text: string): Readonly<Record<string, Readonly<Record<string, string>>>> => {
	const sections: Record<string, Record<string, string>> = {};
	let section: Record<string, string> | undefined;
	for (const line of text.split('\n').filter((each) => !/^\s*([#;].*)?$/.test(each))) {
		const [, title] = /^\[(\w+)\]$/.exec(line) ?? [];
		const [, name, value] = /^([A-Z]\w+)=(\S.*)$/.exec(line) ?? [];
		if (title !== undefined) section = sections[title] ??= {};
		else if (section !== undefined && name !== undefined && value !== undefined) section[name] = value;
		else throw new Error(`not a line of a unit file: ${line}`);
	}
	return sections;
};
