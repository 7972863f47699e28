import {signal} from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const key = 'signalbox-theme';

const read = (): Theme => {
	const kept = localStorage.getItem(key);
	return kept === 'light' || kept === 'dark' ? kept : 'system';
};

export const theme = signal<Theme>(read());

/** Shows the pages as they were chosen to be shown. */
export const applyTheme = (): void => {
	const {dataset} = document.documentElement;
	if (theme.value === 'system') delete dataset.theme;
	else dataset.theme = theme.value;
};

export const chooseTheme = (next: Theme): void => {
	theme.value = next;
	if (next === 'system') localStorage.removeItem(key);
	else localStorage.setItem(key, next);
	applyTheme();
};
