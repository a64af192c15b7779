# docker build -t cardline .
# docker run --read-only --tmpfs /tmp -v /srv/leads:/data cardline watch pickup.yaml
FROM node:22-slim AS build
WORKDIR /build
# better-sqlite3 is compiled where there is no binary of it for the machine.
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts && npm rebuild better-sqlite3
COPY . .
RUN npm run build && npm ci --omit=dev --ignore-scripts && npm rebuild better-sqlite3

FROM node:22-slim
ENV NODE_ENV=production
COPY --from=build /build/package.json /build/LICENSE /build/CHANGELOG.md /opt/cardline/
COPY --from=build /build/node_modules /opt/cardline/node_modules
COPY --from=build /build/dist/command /opt/cardline/dist/command
COPY --from=build /build/dist/web/page /opt/cardline/dist/web/page
COPY --from=build /build/mappings /opt/cardline/mappings
COPY --from=build /build/samples /opt/cardline/samples
# Nothing in the image is written to: a run writes to the volume, and temporary files to /tmp.
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 9464
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/opt/cardline/dist/command/main.js"]
CMD ["watch", "pickup.yaml"]
