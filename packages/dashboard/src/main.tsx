import './style/tokens.css';
import './style/base.css';
import './style/parts.css';
import './style/shell.css';
import './style/text-viewer.css';
import {render} from 'preact';
import {restoreSession} from './session/session.ts';
import {App} from './shell/app.tsx';
import {applyTheme} from './shell/theme.ts';

applyTheme();
// Before it is needed: a font that comes late is for the next page.
void document.fonts.load('1em "Geist Mono"');
void restoreSession();
const root = document.getElementById('app');
if (root) render(<App />, root);
