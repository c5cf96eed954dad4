import { limits } from "@cloud-compute/server";
import type { Rows } from "../../src/store/rows.js";
import { tables, type TableName } from "../../src/store/tables.js";
import { formatDate, type Survey } from "../../src/store/transaction.js";
import { derivedOtherwise } from "./derived.js";
import { leftovers } from "./leftovers.js";

export type All = { readonly [Name in TableName]: readonly Rows[Name][] };

/** Checks what has to hold in every store at any time. Returns the violations. */
export async function brokenInvariants(tx: Survey): Promise<string[]> {
  const all = await everything(tx);
  return [...[...checks, ...leftovers].flatMap((check) => check(all)), ...(await derivedOtherwise(tx))];
}

/** Checks what also has to hold when everything is settled. Returns the violations. */
export async function unsettled(tx: Survey): Promise<string[]> {
  const all = await everything(tx);
  return settledChecks.flatMap((check) => check(all));
}

async function everything(tx: Survey): Promise<All> {
  const rows: Partial<Record<TableName, unknown>> = {};
  for (const name of Object.keys(tables) as TableName[]) rows[name] = await tx[name].find();
  // Each has the rows of its table.
  return rows as All;
}

export type Check = (all: All) => readonly string[];

const checks: readonly Check[] = [
  function everyAddressHasOneOwner({ addresses, instances }) {
    const owner = new Map(addresses.map(({ id, instance }) => [id, instance]));
    const held = instances.flatMap(({ id, ipv4 }) => ipv4.map((address) => ({ id, address })));
    return [
      ...repeated(held.map(({ address }) => address)).map((address) => `${address} belongs to two instances`),
      ...repeated(instances.map(({ ipv6 }) => ipv6)).map((address) => `${address} belongs to two instances`),
      ...held
        .filter(({ id, address }) => owner.get(address) !== id)
        .map(({ id, address }) => `${address} of instance ${id} is assigned to ${owner.get(address)}`),
      ...addresses
        .filter(
          ({ id, instance }) => instance !== null && !held.some((each) => each.id === instance && each.address === id),
        )
        .map(({ id, instance }) => `${id} is assigned to instance ${instance}, which does not have it`),
    ];
  },

  function nothingIsWithoutItsParent(all) {
    return [
      ...orphans(all, "disks", "instance", "instances"),
      ...orphans(all, "configs", "instance", "instances"),
      ...orphans(all, "backups", "instance", "instances"),
      ...orphans(all, "volumes", "compute_id", "instances"),
      ...orphans(all, "volumes", "cluster", "clusters"),
      ...orphans(all, "nodebalancers", "cluster", "clusters"),
      ...orphans(all, "instances", "cluster", "clusters"),
      ...orphans(all, "pools", "cluster", "clusters"),
      ...orphans(all, "nodes", "cluster", "clusters"),
      ...orphans(all, "nodes", "pool", "pools"),
      ...orphans(all, "nodes", "instance_id", "instances"),
      ...orphans(all, "records", "domain", "domains"),
      ...orphans(all, "tokens", "user", "users"),
      ...orphans(all, "tokens", "app", "apps"),
      ...orphans(all, "apps", "user", "users"),
      ...orphans(all, "devices", "user", "users"),
      ...orphans(all, "logins", "user", "users"),
      ...orphans(all, "sshkeys", "user", "users"),
      ...orphans(all, "users", "account", "accounts"),
      ...orphans(all, "preferences", "user", "users"),
      ...orphans(all, "zones", "id", "domains"),
      ...(
        ["tags", "volumes", "nodebalancers", "clusters", "pools", "domains", "images", "events", "jobs"] as const
      ).flatMap((name) => orphans(all, name, "account", "accounts")),
      ...orphans(all, "instances", "account", "accounts"),
    ];
  },

  function disksFitTheirPlans({ instances, disks }) {
    return instances.flatMap(({ id, specs }) => {
      const taken = disks.filter(({ instance }) => instance === id).reduce((sum, { size }) => sum + size, 0);
      return taken > specs.disk ? [`instance ${id} has ${taken} MB of disks on ${specs.disk}`] : [];
    });
  },

  function configsNameDisksOfTheirInstance({ configs, disks }) {
    return configs.flatMap(({ id, instance, devices }) =>
      Object.entries(devices).flatMap(([slot, device]) => {
        const disk = device?.disk_id ?? null;
        if (disk === null || disks.some((each) => each.id === disk && each.instance === instance)) return [];
        return [`config ${id} has disk ${disk} at ${slot}, which instance ${instance} does not have`];
      }),
    );
  },

  function whatIsUniqueIs({ domains, tags, clusters, tokens }) {
    return [
      ...repeated(domains.map(({ key }) => key)).map((key) => `two domains are ${key}`),
      ...repeated(tags.map(({ account, label }) => `${account} ${label}`)).map((tag) => `two tags are ${tag}`),
      ...repeated(clusters.map(({ account, label }) => `${account} ${label}`)).map(
        (each) => `two clusters are ${each}`,
      ),
      ...repeated(tokens.map(({ hash }) => hash)).map((hash) => `two tokens are ${hash}`),
    ];
  },

  function whatIsTaggedHasTagsOfItsAccount({ tags, ...all }) {
    const known = new Set(tags.map(({ account, label }) => `${account} ${label}`));
    return (["instances", "domains", "volumes", "nodebalancers", "clusters", "pools"] as const).flatMap((name) =>
      all[name].flatMap(({ id, account, tags: its }) =>
        its.filter((tag) => !known.has(`${account} ${tag}`)).map((tag) => `${name} ${id} has the unknown tag ${tag}`),
      ),
    );
  },

  function backupsAreAsManyAsAreKept({ backups }) {
    const of = (fits: (each: Rows["backups"]) => boolean, most: number, what: string): string[] => {
      const parents = backups.filter(fits).map(({ instance }) => instance);
      const counts = [...new Set(parents)].map((parent) => ({
        parent,
        count: parents.filter((each) => each === parent).length,
      }));
      return counts
        .filter(({ count }) => count > most)
        .map(({ parent, count }) => `instance ${parent} has ${count} ${what}`);
    };
    const isDone = ({ status }: Rows["backups"]): boolean => status === "successful";
    return [
      ...of((each) => each.type === "snapshot" && isDone(each), 1, "snapshots"),
      ...of((each) => each.type === "auto" && isDone(each), 3, "automatic backups"),
    ];
  },

  function backupsGoOnAndComeAgain({ backups, instances, jobs }) {
    const subjects = jobs.map(({ subject }) => subject);
    const known = new Set(backups.map(({ id }) => `backup ${id}`));
    const enabled = new Set(instances.filter((each) => each.backups.enabled).map(({ id }) => `backups of ${id}`));
    return [
      ...backups
        .filter(({ id, status }) => inProgress.has(status) !== subjects.includes(`backup ${id}`))
        .map(({ id, status }) => `backup ${id} is ${status}, which does not match its jobs`),
      ...subjects
        .filter((each) => /^backup \d/.test(each) && !known.has(each))
        .map((subject) => `a job has the missing subject ${subject}`),
      ...repeated(subjects.filter((each) => each.startsWith("backups of "))).map((each) => `${each} are planned twice`),
      ...subjects
        .filter((each) => each.startsWith("backups of ") && !enabled.has(each))
        .map((each) => `${each} are planned, but disabled`),
      ...instances
        .filter(({ id, state }) => state !== "deleting" && enabled.has(`backups of ${id}`))
        .filter(({ id }) => !subjects.includes(`backups of ${id}`))
        .map(({ id }) => `backups of ${id} are enabled, but not planned`),
      ...instances
        .filter(
          ({ id, backups: summary }) =>
            summary.available !== backups.some((each) => each.instance === id && each.available),
        )
        .map(({ id }) => `instance ${id} has a wrong summary of its backups`),
    ];
  },

  function whatIsUnderWayHasAJobThatEndsIt({ instances, jobs, images }) {
    const subjects = new Set(jobs.map(({ subject }) => subject));
    const clones = jobs.filter(({ kind }) => kind === "clone");
    const ends = (id: number): boolean =>
      subjects.has(`instance ${id}`) || clones.some(({ data }) => data["source"] === id || data["target"] === id);
    return [
      ...instances
        .filter(({ id, state }) => passing.has(state) && !ends(id))
        .map(({ id, state }) => `instance ${id} is ${state}, and no job ends that`),
      ...images
        .filter(({ id, status }) => status !== "available" && !subjects.has(`image ${id}`))
        .map(({ id, status }) => `image ${id} is ${status}, and no job ends that`),
    ];
  },
];

const settledChecks: readonly Check[] = [
  ({ jobs }) =>
    jobs
      .filter(({ nature }) => nature === "transient")
      .map(({ kind, subject }) => `${kind} of ${subject} is still pending`),
  ({ jobs }) =>
    jobs
      .filter(({ failures }) => failures > 0)
      .map(({ kind, subject, failures }) => `${kind} of ${subject} failed ${failures} times`),
  ({ instances }) =>
    instances.filter(({ state }) => passing.has(state)).map(({ id, state }) => `instance ${id} is still ${state}`),
  function nothingIsKeptThatNobodySees({ events, logins, devices, settings }) {
    const now = Date.now() + (settings.find(({ id }) => id === "clock")?.offset ?? 0);
    const before = (seconds: number): string => formatDate(now - (seconds + untilForgotten) * 1000);
    const eventsFrom = before(limits.eventHistory.windowSeconds);
    const loginsFrom = before(limits.loginHistory.windowSeconds);
    return [
      ...events.filter(({ created }) => created < eventsFrom).map(({ id }) => `event ${id} has expired`),
      ...logins.filter(({ datetime }) => datetime < loginsFrom).map(({ id }) => `login ${id} has expired`),
      ...devices.filter(({ expiry }) => expiry < before(0)).map(({ id }) => `device ${id} has expired`),
    ];
  },
  ({ disks }) =>
    disks.filter(({ status }) => status !== "ready").map(({ id, status }) => `disk ${id} is still ${status}`),
];

/** Seconds: a month, and a day of tolerance. */
const untilForgotten = 31 * 86_400;

/** States of backups that jobs continue. */
const inProgress: ReadonlySet<string> = new Set(["pending", "running", "needsPostProcessing"]);

/** States that a job ends. States that last until a request are not among them. */
const passing: ReadonlySet<string> = new Set([
  "booting",
  "rebooting",
  "shutting_down",
  "provisioning",
  "deleting",
  "migrating",
  "rebuilding",
  "cloning",
  "restoring",
]);

function orphans<Name extends TableName>(
  all: All,
  name: Name,
  field: keyof Rows[Name] & string,
  parents: TableName,
): string[] {
  const known = new Set<unknown>(all[parents].map(({ id }) => id));
  return all[name].flatMap((row) => {
    const parent = row[field];
    if (parent === null || known.has(parent)) return [];
    return [`${name} ${row.id} has ${field} ${String(parent)}, which does not exist`];
  });
}

function repeated<T>(values: readonly T[]): T[] {
  const seen = new Set<T>();
  return values.filter((value) => (seen.has(value) ? value !== null : !seen.add(value)));
}
