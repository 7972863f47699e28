import test from 'ava';
import {destinationKeyOf, destinationUrlProblem} from '../../src/values/template.ts';

test('what destinations have in common is their origin, or the variable, however it is written', (t) => {
	t.is(destinationKeyOf('https://a.example:8443/{{env.PATH}}?b={{env.B}}'), 'https://a.example:8443');
	for (const blanks of ['', ' ', ' '.repeat(1000)])
		t.is(destinationKeyOf(`{{${blanks}env.URL${blanks}}}`), '{{env.URL}}');
});

test('a host name is no longer than DNS knows them', (t) => {
	const hostOf = (length: number) => `${'a'.repeat(length - '.example'.length)}.example`;
	t.is(destinationUrlProblem(`https://${hostOf(253)}:8443/x`), undefined);
	t.regex(destinationUrlProblem(`https://${hostOf(254)}/x`) ?? '', /host name of at most 253/);
});
