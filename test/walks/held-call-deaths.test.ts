import test from 'ava';
import {noFaults} from '../scenarios/proxy/durable-calls.ts';
import {dieHolding} from '../scenarios/races/deaths.ts';

test('[PRX-100 PRX-101] a call whose process is killed while another one approves it runs at most once, and its approval says what became of it', async (t) => {
	const {faults, ...report} = await dieHolding({deaths: 1, calls: 6, seed: 3});
	t.log(JSON.stringify(report));
	t.deepEqual(faults, {...noFaults, stuck: [], undecided: []});
});
