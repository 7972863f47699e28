import type {Approval} from '@signalbox/client-sdk';
import {useEffect} from 'preact/hooks';
import {type Resource, useResource} from '../live/use-resource.ts';
import {client} from '../session/client.ts';

const byExpiry = (one: Approval, other: Approval): number =>
	one.expires_at.localeCompare(other.expires_at) || one.id.localeCompare(other.id);

const readWaiting = async (): Promise<readonly Approval[]> =>
	[...(await client.mcp.approvals.list()).data].sort(byExpiry);

/** What waits for a decision, the first to expire first; read again when one comes, goes, or expires. */
export const useWaitingApprovals = (): Resource<readonly Approval[]> => {
	const resource = useResource('approvals/waiting', readWaiting, ['approval.pending', 'approval.decided']);
	const next = resource.data?.[0]?.expires_at;
	const {reload} = resource;
	useEffect(() => {
		if (next === undefined) return undefined;
		const timer = setTimeout(reload, Math.max(1000, Date.parse(next) - Date.now() + 500));
		return () => clearTimeout(timer);
	}, [next]);
	return resource;
};
