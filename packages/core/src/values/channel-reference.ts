const reference = /^\{\{channel\.([0-9a-f-]{1,64})\}\}$/;

/** How a delivery names the notification channel it goes to: its URL may be a secret, and is read when it is sent. */
export const channelReference = (id: string): string => `{{channel.${id}}}`;

/** The id in such a reference, or undefined for any other text. */
export const referencedChannel = (url: string): string | undefined => reference.exec(url)?.[1];
