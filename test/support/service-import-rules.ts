import type { Layer } from "./import-rules.js";

const disk = /^node:fs(\/promises)?$/;
const places = /^node:(path|url)$/;
/** The base of the service. */
const generated = [/^@cloud-compute\/server(\/node)?$/, /^@plumbline\/server-runtime$/];
/** The features of the service. A feature may call the lifecycle of those before it, so that calls have no circle. */
const features = [
  "events",
  "tags",
  "regions",
  "profile",
  "domains",
  "configs",
  "backups",
  "instances",
  "images",
  "kube",
];
/** The index of all features, and what other folders of the service may call of one. */
const lifecycles = /^packages\/service\/src\/features\/(index|[^/]+\/lifecycle)\.ts$/;

/** The layers of the service. */
export const serviceLayers: readonly Layer[] = [
  // The service. Features contain business rules: other folders have SQL, HTTP and files.
  ...features.map((feature, index): Layer => ({
    files: new RegExp(`^packages/service/src/features/${feature}/.+$`),
    may: [
      ...generated,
      // Only the index imports handlers and jobs.
      new RegExp(`^packages/service/src/features/${feature}/(?!jobs\\.|.*handlers\\.)`),
      ...features.slice(0, index).map((lower) => new RegExp(`^packages/service/src/features/${lower}/lifecycle\\.ts$`)),
      /^packages\/service\/src\/access\/(caller|credentials|grants)\.ts$/,
      /^packages\/service\/src\/(dns|platform)\//,
      /^packages\/service\/src\/store\/(same-row|transaction)\.ts$/,
      /^(libphonenumber-js|otpauth|yaml)$/,
      /^node:(crypto|net)$/,
    ],
    mayAsType: [/^packages\/service\/src\/(context|unit-of-work)\.ts$/, /^packages\/service\/src\/store\//],
  })),
  {
    files: /^packages\/service\/src\/features\/index\.ts$/,
    may: [
      /^packages\/service\/src\/features\/[^/]+\/([^/]*handlers|jobs|lifecycle)\.ts$/,
      /^packages\/service\/src\/platform\/purge-expired\.ts$/,
    ],
    mayAsType: [...generated, /^packages\/service\/src\/(context|platform\/jobs)\.ts$/],
  },
  {
    files: /^packages\/service\/src\/testing\/index\.ts$/,
    may: [/^packages\/service\/src\/testing\/src\/gen\//],
  },
  {
    files: /^packages\/service\/src\/server\/docs\.ts$/,
    may: [disk, places, /^@cloud-compute\/(description|server\/docs)$/, /^@plumbline\/server-runtime$/],
  },
  {
    files: /^packages\/service\/src\/store\//,
    may: [
      ...generated,
      /^@plumbline\/server-runtime\/(limits\/postgres|validator)$/,
      disk,
      places,
      /^node:(async_hooks|crypto|net|stream\/promises)$/,
      /^(kysely|libsql|pg)$/,
    ],
  },
  {
    files: /^packages\/service\/src\/dns\//,
    may: [...generated, /^node:(buffer|crypto|dns\/promises|events|net|os|timers\/promises)$/, /^dns-packet$/],
    mayAsType: [/^packages\/service\/src\/store\/rows\.ts$/],
  },
  {
    files: /^packages\/service\/src\/platform\//,
    may: [
      ...generated,
      disk,
      places,
      /^node:(crypto|stream\/promises|stream|timers\/promises|zlib)$/,
      /^kysely$/,
      /^packages\/service\/src\/store\//,
    ],
    mayAsType: [/^packages\/service\/src\/unit-of-work\.ts$/, /^pino$/],
  },
  {
    files: /^packages\/service\/src\/access\//,
    may: [...generated, /^node:(crypto|util)$/, /^packages\/service\/src\/options\.ts$/],
    mayAsType: [
      /^packages\/service\/src\/(context|unit-of-work|platform\/clock)\.ts$/,
      /^packages\/service\/src\/store\//,
    ],
  },
  {
    files: /^packages\/service\/src\/admin\//,
    may: [/^node:(http|timers\/promises)$/, /^packages\/service\/src\/(admin|store)\//, /^prom-client$/],
    mayAsType: [...generated, /^packages\/service\/src\/(options|platform\/(clock|jobs))\.ts$/, /^pino$/],
  },
  {
    files: /^packages\/service\/src\/opentelemetry\//,
    may: [/^@opentelemetry\/api$/, /^@plumbline\/server-runtime\/opentelemetry$/, /^packages\/service\/src\/store\//],
    mayAsType: [/^packages\/service\/src\/admin\//],
  },
  {
    files: /^packages\/service\/src\/(controls|server)\//,
    may: [
      ...generated,
      disk,
      places,
      /^node:(http|net|timers\/promises)$/,
      /^packages\/service\/src\/(access|gen|platform|server|store)\//,
      lifecycles,
      /^packages\/service\/src\/(bootstrap|context|unit-of-work)\.ts$/,
    ],
    mayAsType: [/^pino$/],
  },
  {
    files: /^packages\/service\/src\/[^/]+\.ts$/,
    may: [
      ...generated,
      /^packages\/service\/src\/(access|admin|controls|gen|platform|server|store)\//,
      /^packages\/service\/src\/[^/]+\.ts$/,
      /^packages\/service\/src\/features\/index\.ts$/,
      /^node:/,
      /^(libsql|pino)$/,
      /^@plumbline\/command-line$/,
    ],
  },
];
