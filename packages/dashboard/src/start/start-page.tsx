import {useEffect} from 'preact/hooks';
import {useLocation} from 'preact-iso';

/** The inbox is where a day begins. */
export default () => {
	const {route} = useLocation();
	useEffect(() => route('/approvals', true), [route]);
	return null;
};
