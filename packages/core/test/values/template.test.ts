import test from 'ava';
import {destinationKeyOf, destinationUrlProblem} from '../../src/values/template.ts';

const owner = {team_id: 'team', user_id: 'user'};

test('what destinations have in common is their origin, or the variable, however it is written', (t) => {
	t.is(destinationKeyOf('https://a.example:8443/{{env.PATH}}?b={{env.B}}', owner), 'https://a.example:8443');
	t.not(destinationKeyOf('{{env.URL}}', owner), destinationKeyOf('{{env.URL}}', {...owner, user_id: 'other'}));
	for (const blanks of ['', ' ', ' '.repeat(1000)])
		t.is(destinationKeyOf(`{{${blanks}env.URL${blanks}}}`, owner), '{{env.URL}} team user');
});

test('a host name is no longer than DNS knows them', (t) => {
	const hostOf = (length: number) => `${'a'.repeat(length - '.example'.length)}.example`;
	t.is(destinationUrlProblem(`https://${hostOf(253)}:8443/x`), undefined);
	t.regex(destinationUrlProblem(`https://${hostOf(254)}/x`) ?? '', /host name of at most 253/);
});
