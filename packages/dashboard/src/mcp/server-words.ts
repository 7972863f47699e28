import type {ApprovalConfig, McpServer} from '@signalbox/client-sdk';

const byTrust: Readonly<Record<ApprovalConfig['trust_level'], string>> = {
	strict: '',
	moderate: 'reading runs, the rest waits',
	autonomous: 'everything runs, except by rule',
};

const rulesText = (count: number): string => {
	if (count === 0) return '';
	return count === 1 ? ', 1 rule' : `, ${count} rules`;
};

/** What happens to a call, in a few words. */
export const approvalWords = ({enabled, trust_level, default_action, rules}: ApprovalConfig): string => {
	if (!enabled) return 'Off: every call runs';
	const otherwise =
		byTrust[trust_level] || (default_action === 'require' ? 'every call waits' : 'calls run, except by rule');
	return `On: ${otherwise}${rulesText(rules.length)}`;
};

const money = new Intl.NumberFormat('en-US', {style: 'currency', currency: 'USD'});

/** Cents as people write them. */
export const moneyText = (cents: number): string => money.format(cents / 100);

export const durationText = (milliseconds: number): string => {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	const seconds = Math.round(milliseconds / 100) / 10;
	if (seconds < 60) return `${seconds} s`;
	const rest = Math.round(seconds) % 60;
	return `${Math.floor(Math.round(seconds) / 60)} min${rest === 0 ? '' : ` ${rest} s`}`;
};

export const logWords: Readonly<Record<McpServer['log_bodies']['mode'], string>> = {
	full: 'Whole',
	redacted: 'Without what looks secret',
	none: 'Not kept',
};
