const named = (name: string): string | undefined => {
	const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
	return content !== undefined && URL.canParse(content) ? content : undefined;
};

/** Where MCP clients reach the proxy, as the server that sent this page says; in development, where the page is. */
export const proxyUrl = named('signalbox-proxy') ?? location.origin;

/** Where webhooks come in. */
export const hookUrl = named('signalbox-hooks') ?? location.origin;
