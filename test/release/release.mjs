// `npm run release`: checks, applies changesets, and publishes packages that the registry lacks. See README.md.
import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { changesetsProgram } from "./changesets.mjs";
import { publicPackages, withRepository } from "./manifests.mjs";
import { ReleaseError, outputOf, runVisibly } from "./programs.mjs";
import { checkTree, isClean, repositoryAddress } from "./tree.mjs";

const help = `Usage: npm run release -- [options]

Applies changesets, commits the new versions, and publishes packages that the registry lacks.

    --dry-run        check, and print the planned versions
    --registry URL   publish to this registry. Default: the registry in npm's configuration
    --help           print this text

Examples:
  npm run release -- --dry-run
  npm run release -- --registry http://127.0.0.1:4873
`;

try {
  const { values } = parseArgs({
    options: { "dry-run": { type: "boolean" }, registry: { type: "string" }, help: { type: "boolean" } },
  });
  if (values.help === true) console.log(help.trimEnd());
  else release({ root: process.cwd(), registry: values.registry, isDry: values["dry-run"] === true });
} catch (error) {
  const isMisuse = error instanceof TypeError && String(Reflect.get(error, "code")).startsWith("ERR_PARSE_ARGS");
  if (!isMisuse && !(error instanceof ReleaseError)) throw error;
  console.error(isMisuse ? `${error.message}\n\n${help.trimEnd()}` : error.message);
  process.exitCode = isMisuse ? 2 : 1;
}

/** @param {{ root: string, registry: string | undefined, isDry: boolean }} request */
function release({ root, registry, isDry }) {
  checkTree(root);
  const repository = repositoryAddress(root);
  const isProven = offersProvenance();
  if (isProven && repository === undefined)
    throw new ReleaseError("Provenance needs an origin.", "git remote add origin https://…");
  step(root, "npm", "run", "check");
  build(root);
  const changeset = changesetsProgram();
  runVisibly([process.execPath, changeset, "status", "--verbose"], { root });
  if (repository === undefined) console.log("git has no public origin: packages will have no repository address");
  if (isProven) console.log("npm will publish with provenance");
  if (isDry) return;
  applyVersions(root, changeset);
  const env = { ...(isProven ? { npm_config_provenance: "true" } : {}), ...registryVariables(root, registry) };
  withRepository(publicPackages(root), { root, repository }, () =>
    runVisibly([process.execPath, changeset, "publish"], { root, env }),
  );
}

/**
 * Updates versions and changelogs, then everything that repeats a version, the lock file and generated files, and commits all of it.
 *
 * @param {string} root
 * @param {string} changeset the program
 */
function applyVersions(root, changeset) {
  runVisibly([process.execPath, changeset, "version"], { root });
  if (isClean(root)) return;
  const quiet = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  step(root, "npm", "install", "--package-lock-only", ...quiet);
  step(root, "npm", "run", "generate");
  build(root);
  outputOf(["git", "add", "--all"], root);
  outputOf(["git", "commit", "--quiet", "--message", "repo: release new versions"], root);
}

/**
 * Builds from scratch: old builds may contain output of removed sources.
 *
 * @param {string} root
 */
function build(root) {
  for (const { folder } of publicPackages(root))
    rmSync(path.join(root, folder, "dist"), { recursive: true, force: true });
  step(root, "npm", "run", "build");
}

/**
 * @param {string} root
 * @param {readonly string[]} command
 */
function step(root, ...command) {
  console.log(command.slice(0, 3).join(" "));
  outputOf(command, root);
}

/** Whether the job has an identity token of GitHub or GitLab, which npm needs for provenance. */
function offersProvenance() {
  return [process.env["ACTIONS_ID_TOKEN_REQUEST_URL"], process.env["SIGSTORE_ID_TOKEN"]].some(
    (each) => (each ?? "") !== "",
  );
}

/**
 * The registry in npm's variables. Each scope has one, too: npm's configuration of a scope would override the general one.
 *
 * @param {string} root
 * @param {string | undefined} registry
 * @returns {Record<string, string>}
 */
function registryVariables(root, registry) {
  if (registry === undefined) return {};
  const scopes = publicPackages(root).flatMap(({ name }) => (name.startsWith("@") ? [name.split("/")[0]] : []));
  const names = ["npm_config_registry", ...scopes.map((scope) => `npm_config_${scope}:registry`)];
  return Object.fromEntries(names.map((name) => [name, registry]));
}
