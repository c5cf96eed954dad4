import { createFaults, type FaultRow } from "./create-faults.js";
import { editService } from "./edited-files.js";
import type { Fault, SourceEdit } from "./fault.js";

/** Faults of operations that reject a request as described, and change something nevertheless. */
export const rejectionFaults: readonly Fault[] = createFaults("rejected-but", 64, [...compute(), ...others()]);

function compute(): readonly FaultRow[] {
  return [
    [
      "updateInstance/watchdog",
      "an update without a grant turns the watchdog off",
      ["instance.update.watchdog"],
      ...afterStatus(403, "updateInstance", "instances", "{ watchdog_enabled: false }"),
    ],
    [
      "deleteInstance/group",
      "a deletion that the state forbids sets the group",
      ["instance.delete.not-cloning"],
      ...afterStatus(400, "deleteInstance", "instances", "{ group: 'deleting' }"),
    ],
    [
      "bootInstance/event",
      "a boot of a running instance adds an event that failed",
      ["instance.moves.booting"],
      ...afterStatus(
        400,
        "bootInstance",
        "instances",
        "await work.recordEvent({ account: row.account, action: 'compute_boot', status: 'failed', entity: null })",
      ),
    ],
    [
      "recycleCluster/label",
      "a recycling without the scope renames the cluster",
      ["cluster.recycle.scope"],
      ...afterStatus(401, "recycleCluster", "clusters", "{ label: `${row.label}-1` }"),
    ],
    [
      "createInstance/rate",
      "a creation past the rate is noted in the group of the instances",
      ["instance.limits.create-rate"],
      ...afterStatus(
        429,
        "createInstance",
        undefined,
        "for (const each of await work.tx.instances.find({ account })) await work.tx.instances.patch(each, { group: `late-${work.now}` })",
      ),
    ],
    [
      "enableInstanceBackups/schedule",
      "a user without a grant moves the window of the backups",
      ["backup.enable.operation"],
      ...afterStatus(
        403,
        "enableInstanceBackups",
        "instances",
        "{ backups: { ...row.backups, schedule: { day: 'Monday', window: 'W22' } } }",
      ),
    ],
    [
      "updateClusterPool/autoscaler",
      "an update without the scope sets the bounds of the autoscaler",
      ["pool.update.request"],
      ...afterStatus(
        401,
        "updateClusterPool",
        "pools",
        "{ autoscaler: { ...row.autoscaler, max: row.autoscaler.max + 1 } }",
      ),
    ],
    [
      "createCluster/tag",
      "a cluster whose label is taken leaves a tag",
      ["cluster.create.operation"],
      ...afterStatus(
        400,
        "createCluster",
        undefined,
        "account && (await work.tx.tags.add({ account, label: `taken-${work.now}` }))",
      ),
    ],
  ];
}

function others(): readonly FaultRow[] {
  return [
    [
      "updateDomain/description",
      "an update without the scope clears the description",
      ["domains.update"],
      ...afterStatus(401, "updateDomain", "domains", "{ description: 'changed' }"),
    ],
    [
      "deleteDomain/records",
      "a user who may only read a domain removes its records",
      ["domains.delete"],
      ...afterStatus(403, "deleteDomain", "domains", "await work.tx.records.deleteReturning({ domain: row.id })"),
    ],
    [
      "createDomain/event",
      "a domain that is taken adds an event",
      ["domain.domain.unique"],
      ...afterStatus(
        400,
        "createDomain",
        undefined,
        "account && (await work.recordEvent({ account, action: 'dns_zone_create', status: 'failed' }))",
      ),
    ],
    [
      "updateSSHKey/label",
      "an invalid label is cut and stored",
      ["sshkey.update.label"],
      ...afterStatus(400, "updateSSHKey", "sshkeys", "{ label: `${row.label}-1` }"),
    ],
    [
      "deleteToken/label",
      "a deletion without the scope renames the token",
      ["token.delete.scope"],
      ...afterStatus(401, "deleteToken", "tokens", "{ label: `${row.label}-1` }"),
    ],
    [
      "createTag/tag",
      "a tag for a missing object is created",
      ["tag.create.operation"],
      ...afterStatus(
        400,
        "createTag",
        undefined,
        "account && (await work.tx.tags.add({ account, label: `missing-${work.now}` }))",
      ),
    ],
    [
      "confirmTwoFactor/answers",
      "a wrong code removes the answers to the security questions",
      ["two-factor.confirm"],
      ...afterStatus(
        400,
        "confirmTwoFactor",
        undefined,
        "last && (await work.tx.users.patch(await work.tx.users.getOrThrow(last.user), { answers: {} }))",
      ),
    ],
  ];
}

/**
 * Edits that change a row of the path in a transaction of their own, after the response has this status. The change is an object of fields, or
 * statements with `row`, `account` and `last`, the caller.
 */
function afterStatus(
  status: number,
  operation: string,
  rows: string | undefined,
  change: string,
): readonly SourceEdit[] {
  const edit = (find: string, replace: string): SourceEdit =>
    editService("server/api")("export function apiOf(", find, replace);
  const found = rows === undefined ? "undefined" : `await work.tx.${rows}.get(Number(ids.at(-1)))`;
  const isPatch = rows !== undefined && change.startsWith("{");
  const statement = isPatch ? `await work.tx.${rows}.patch(row, ${change})` : change;
  return [
    edit("const transaction = async", "let last;\n    const transaction = async"),
    edit(
      "bearer: authenticator(store, clock)",
      "bearer: async (...given) => { const found = await authenticator(store, clock)(...given); last = found?.caller; return found; }",
    ),
    edit("return createServer(handlers, {", "const server = createServer(handlers, {"),
    edit(
      "log: logEntriesTo(log),\n        observe,\n    });",
      `log: logEntriesTo(log),
        observe,
    });
    const handle = server.handle.bind(server);
    server.handle = (received) => handle(received)?.then(async (response) => {
      if (server.operationOf(received) !== "${operation}" || response.status !== ${status}) return response;
      const ids = received.target.split("?")[0].match(/(?<=\\/)\\d+(?=\\/|$)/g) ?? [];
      const read = async (work) => ${found};
      const seen = await works.read({ account: last?.account.id ?? null, now: clock.now() }, read);
      const account = seen?.account ?? last?.account.id;
      const isKnown = ${rows === undefined ? "true" : "seen !== undefined"};
      if (isKnown) await works.write({ account: account ?? "none", now: clock.now() }, async (work) => {
        const row = await read(work);
        ${statement};
      });
      return response;
    });
    return server;`,
    ),
  ];
}
