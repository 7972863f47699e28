import test from 'ava';
import {clientConfigurations} from '../src/mcp/client-configurations.ts';

const url = 'https://signalbox.example.com/p/a-slug';

test('every client is told the address, under a name that it accepts', (t) => {
	for (const {client, text} of clientConfigurations({name: 'Our "Tickets" & more', url, requiresKey: false})) {
		t.true(text.includes(url), client);
		if (client !== 'Any other') t.true(text.includes('our-tickets-more'), client);
		if (text.startsWith('{')) t.notThrows(() => JSON.parse(text), client);
		t.notRegex(text, /API-Key/i, client);
	}
});

test('where callers need a key, every client is told where it goes, and none is given', (t) => {
	for (const {client, text, how} of clientConfigurations({name: '東京', url, requiresKey: true}))
		t.regex(`${text} ${how}`, /X-API-Key/, client);
});
