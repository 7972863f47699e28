const longestAddress = 254;
const longestLocalPart = 64;
const localPart = /^[^\s@"(),:;<>[\\\]\p{Cc}\p{Cs}]+$/u;
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;

/** The form in which addresses are compared: lower case, NFC. */
export const emailKeyOf = (email: string): string => email.toLowerCase().normalize('NFC');

const isDomain = (domain: string): boolean => {
	const labels = domain.split('.');
	return (labels.length > 1 || emailKeyOf(domain) === 'localhost') && labels.every((label) => domainLabel.test(label));
};

const isLocalPart = (text: string): boolean =>
	text.length <= longestLocalPart && localPart.test(text) && !/^\.|\.\.|\.$/.test(text);

/** What is wrong with a text as an email address, or undefined. Takes linear time; mail alone proves an address. */
export const emailProblem = (email: string): string | undefined => {
	if (Math.max(email.length, emailKeyOf(email).length) > longestAddress) {
		return `must have at most ${longestAddress} characters`;
	}
	const at = email.indexOf('@');
	return at > 0 && isLocalPart(email.slice(0, at)) && isDomain(email.slice(at + 1))
		? undefined
		: 'must be an email address, name@example.com';
};
