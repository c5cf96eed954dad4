import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { peersFolder, run } from "./peers.js";

/** A description that a package has. */
interface PublishedDescription {
  readonly package: string;
  readonly version: string;
  /** Its path in the package. */
  readonly file: string;
  /** True if nothing right can be made of it as it is. */
  readonly isRejected?: boolean;
}

/** OpenAPI 3.0 and 3.1, and two of Swagger 2.0; written by hand and by frameworks. */
const published: readonly PublishedDescription[] = [
  { package: "@blockfrost/openapi", version: "0.1.93", file: "openapi.yaml" },
  { package: "@dcl/catalyst-api-specs", version: "3.8.0", file: "lib/api.yaml" },
  { package: "@digdir/dialogporten-schema", version: "1.40.0", file: "swagger.verified.json" },
  { package: "@directus/specs", version: "15.2.0", file: "dist/openapi.json" },
  { package: "@figma/rest-api-spec", version: "0.43.0", file: "openapi/openapi.yaml" },
  { package: "@gitbook/api", version: "0.202.0", file: "spec/openapi.json" },
  { package: "@hyperledger/cactus-core-api", version: "1.0.0", file: "dist/lib/main/json/openapi.json" },
  {
    package: "@hyperledger/cactus-plugin-ledger-connector-besu",
    version: "0.5.0",
    file: "dist/lib/main/json/openapi.json",
  },
  {
    package: "@hyperledger/cactus-plugin-ledger-connector-fabric",
    version: "1.0.0",
    file: "dist/lib/main/json/openapi.json",
  },
  { package: "@ideal-postcodes/openapi", version: "4.21.0", file: "dist/openapi.json" },
  { package: "@lix-js/server-api-schema", version: "0.1.1", file: "src/schema.yaml" },
  { package: "@netlify/open-api", version: "2.60.0", file: "dist/swagger.json" },
  { package: "@octokit/openapi", version: "23.0.2", file: "generated/api.github.com.json" },
  { package: "@octokit/openapi", version: "23.0.2", file: "generated/ghes-3.19.json" },
  { package: "@okta/openapi", version: "2.15.0", file: "dist/spec.yaml" },
  { package: "@redotech/redo-api-schema", version: "2.2.693", file: "lib/openapi.yaml" },
  { package: "@scalar/galaxy", version: "0.6.12", file: "dist/3.1.json" },
  { package: "@shopware/api-client", version: "1.6.0", file: "api-types/storeApiSchema.json" },
  // Refers to a schema that does not exist: rejected, until an overlay defines it.
  { package: "@shopware/api-client", version: "1.6.0", file: "api-types/storeApiSchema.6.6.10.json", isRejected: true },
  { package: "@shopware/api-client", version: "1.6.0", file: "api-types/adminApiSchema.json" },
];

/** A description on the disk. */
export interface LocalDescription {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly isRejected: boolean;
}

/** Downloads the packages of the descriptions, without what they depend on, unless they are there. */
export async function publishedDescriptions(say: (text: string) => void): Promise<readonly LocalDescription[]> {
  const found: LocalDescription[] = [];
  for (const { package: name, version, file, isRejected = false } of published) {
    const folder = path.join(peersFolder, ".descriptions", `${name.replace("/", "-")}-${version}`);
    if (!existsSync(folder)) await download(`${name}@${version}`, folder, say);
    found.push({ name: `${name} ${path.basename(file)}`, file: path.join(folder, file), isRejected });
  }
  return found;
}

async function download(specifier: string, folder: string, say: (text: string) => void): Promise<void> {
  say(`downloading ${specifier}`);
  const temporary = `${folder}.part`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  const [packed = ""] = (await run("npm", ["pack", specifier, "--silent", "--ignore-scripts"], temporary)).split("\n");
  await run("tar", ["-xzf", packed, "--strip-components=1"], temporary);
  await rename(temporary, folder);
}
