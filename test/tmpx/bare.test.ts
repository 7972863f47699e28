import test from 'ava';
test('bare', () => { const e = new Error('no frames'); e.stack = 'Error: no frames'; throw e; });
