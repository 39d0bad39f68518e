# syntax=docker/dockerfile:1
# An LTS release. The tests use the Node version of the machine that runs them.
ARG NODE=24.21.0
FROM node:${NODE}-bookworm-slim AS build
WORKDIR /stet
# Copied first so that they are cached, because dependencies change less often than the sources.
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/package.json
COPY packages/domain/package.json packages/domain/package.json
COPY packages/presentation/package.json packages/presentation/package.json
COPY apps/server/package.json apps/server/package.json
COPY apps/web/package.json apps/web/package.json
COPY bench/package.json bench/package.json
COPY e2e/package.json e2e/package.json
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
# There is no .git in the image, so the commit is an argument.
ARG STET_COMMIT=
RUN STET_COMMIT=$STET_COMMIT node scripts/build.mjs
# Only the server's runtime dependencies, as a fresh install, because `npm prune` keeps the packages of other workspaces.
RUN npm ci --omit=dev --workspace=apps/server --no-audit --no-fund

FROM node:${NODE}-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /stet
COPY --from=build /stet/package.json package.json
COPY --from=build /stet/node_modules node_modules
COPY --from=build /stet/apps/server/package.json apps/server/package.json
COPY --from=build /stet/apps/server/dist apps/server/dist
COPY --from=build /stet/apps/web/dist apps/web/dist
COPY --from=build /stet/scripts/healthy.mjs scripts/healthy.mjs
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "scripts/healthy.mjs"]
CMD ["node", "--enable-source-maps", "apps/server/dist/main.js"]
