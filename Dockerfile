# The server for production: `docker build -t signalbox .`; how it is run stands in docs/operations.md and compose.yaml.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
# What builds the dashboard is optional, as is what is left out again: Node is the image's own, and so is its SQLite.
RUN npm ci && npm run build && npm prune --omit=dev --omit=optional

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/packages ./packages
COPY --from=build /app/package.json ./
RUN install --directory --owner=node --group=node --mode=0700 /data
VOLUME /data
USER node
EXPOSE 3000 3001
# Whether the process is up, not whether its database is: a restart would not bring that back.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
	CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "packages/hapi-server/bin/signalbox-server.js", "start"]
