/** What a terminal would take as a command, or as another direction to write in. */
const controls = /[\p{Cc}\p{Bidi_Control}]/gu;

/** A text on one line that cannot steer a terminal: names, paths and messages come from others. */
export const printable = (text: string): string => text.replace(controls, ' ');
