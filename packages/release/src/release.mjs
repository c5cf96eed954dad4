// `npm run release`: applies changesets and publishes packages that the registry lacks. See README.md.
import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { publicPackages } from "./packages.mjs";
import { isPublished, publish, stage } from "./registry.mjs";
import { ReleaseError, inTemporaryFolder, outputOf } from "./run.mjs";
import { checkTree, commit, repositoryAddress } from "./tree.mjs";
import { applyVersions, plannedVersions } from "./versions.mjs";

const help = `Usage: npm run release -- [options]

Applies changesets, commits the new versions, and publishes packages that the registry lacks.

    --dry-run        print the steps without taking them
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
  if (values.help === true) say(help.trimEnd());
  else await release({ root: process.cwd(), registry: values.registry, dry: values["dry-run"] === true });
} catch (error) {
  const isMisuse = error.code?.startsWith("ERR_PARSE_ARGS") === true;
  if (!isMisuse && !(error instanceof ReleaseError)) throw error;
  console.error(isMisuse ? `${error.message}\n\n${help.trimEnd()}` : error.message);
  process.exitCode = isMisuse ? 2 : 1;
}

async function release({ root, registry, dry }) {
  await checkTree(root);
  say("npm run check");
  await outputOf(["npm", "run", "check"], root);
  say("npm run build");
  await build(root);
  const versions = await plannedVersions(root);
  for (const { name, oldVersion, newVersion, type } of versions) say(`${name} ${oldVersion} → ${newVersion} (${type})`);
  if (versions.length > 0 && !dry) {
    await applyVersions(root);
    await build(root);
    await commit(root, `Versions\n\n${versions.map(({ name, newVersion }) => `${name}@${newVersion}`).join("\n")}`);
  }
  const planned = new Map(versions.map(({ name, newVersion }) => [name, newVersion]));
  const all = publicPackages(root).map((each) => ({ ...each, version: planned.get(each.name) ?? each.version }));
  await publishMissing(all, { root, registry, dry });
}

/** Builds from scratch: old builds may contain output of removed sources. */
async function build(root) {
  for (const { folder } of publicPackages(root))
    rmSync(path.join(root, folder, "dist"), { recursive: true, force: true });
  await outputOf(["npm", "run", "build"], root);
}

/** Publishes in order, up to the first failure: a package is never published before its dependencies. */
async function publishMissing(all, { root, registry, dry }) {
  const there = await Promise.all(all.map((each) => isPublished(each, { root, registry })));
  const missing = all.filter((_, index) => !there[index]);
  for (const { name, version } of all.filter((_, index) => there[index]))
    say(`${name}@${version} is already published`);
  if (missing.length === 0) return;
  const repository = await repositoryAddress(root);
  const proven = offersProof();
  if (repository === undefined) say("git has no public origin: packages will have no repository address");
  if (repository === undefined && proven)
    throw new ReleaseError("Provenance needs an origin.", "git remote add origin https://…");
  const how = proven ? " with provenance" : "";
  if (dry) for (const { name, version } of missing) say(`${name}@${version} would be published${how}`);
  else await publishStaged(missing, { root, registry, repository, proven });
}

async function publishStaged(missing, { root, registry, repository, proven }) {
  await inTemporaryFolder(async (into) => {
    for (const each of await stage(missing, { root, into, repository })) {
      const failure = await publish(each, { root, registry, proven });
      if (failure !== undefined)
        throw new ReleaseError(
          `${each.name}@${each.version} was not published:\n${failure}`,
          "Fix this and run npm run release again: it continues with this package.",
        );
      say(`${each.name}@${each.version} is published${proven ? " with provenance" : ""}`);
    }
  });
}

/** Whether the job has an identity token of GitHub or GitLab, which npm needs for provenance. */
function offersProof() {
  return [process.env["ACTIONS_ID_TOKEN_REQUEST_URL"], process.env["SIGSTORE_ID_TOKEN"]].some(
    (each) => (each ?? "") !== "",
  );
}

function say(line) {
  console.log(line);
}
