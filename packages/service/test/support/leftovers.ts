import { instanceStatus } from "@cloud-compute/server";
import { entityKinds, type EntityKind } from "../../src/access/grants.js";
import type { All, Check } from "./invariants.js";

/** Checks that references point to existing objects. */
export const leftovers: readonly Check[] = [
  function jobsAreAboutSomething({ jobs, ...all }) {
    return jobs.flatMap(({ id, kind, subject, data }) => {
      // A copy continues after the deletion of its source, but not of its target.
      const about = kind === "clone" ? `instance ${String(data["target"])}` : subject;
      const [, what = "", which = ""] = /^(.*) (\S+)$/.exec(about) ?? [];
      const isThere = subjects[what];
      if (isThere === undefined) return [`job ${id} (${kind}) has the unknown subject ${subject}`];
      return isThere(all, which) ? [] : [`job ${id} (${kind}) has the missing subject ${about}`];
    });
  },

  function eventsThatGoOnHaveAJobThatEndsThem({ events, jobs }) {
    const reported = new Set(jobs.map(({ event }) => event));
    const known = new Set(events.map(({ id }) => id));
    return [
      ...events
        .filter(({ id, status }) => (status === "started" || status === "scheduled") && !reported.has(id))
        .map(({ id, action, status }) => `event ${id} (${action}) is ${status}, and no job ends it`),
      ...jobs
        .filter(({ event }) => event !== null && !known.has(event))
        .map(({ id, kind, event }) => `job ${id} (${kind}) ends event ${event}, which does not exist`),
    ];
  },

  function grantsAreOnWhatIsThere({ users, ...all }) {
    return users.flatMap(({ id, account, grants }) =>
      (Object.keys(entityKinds) as EntityKind[]).flatMap((kind) => {
        const ids = grants[kind].map((each) => each.id);
        const there = granted[kind](all, account);
        return [
          ...ids
            .filter((each) => !there.includes(each))
            .map((each) => `${id} has a grant on ${kind} ${each}, which does not exist`),
          ...ids
            .filter((each, at) => ids.indexOf(each) !== at)
            .map((each) => `${id} has two grants on ${kind} ${each}`),
        ];
      }),
    );
  },

  function imagesHaveTheirTickets({ images }) {
    return images
      .filter(
        ({ status, ticket, file }) =>
          (status !== "pending_upload" && ticket !== null) || (ticket !== null && file !== null),
      )
      .map(({ id, status }) => `image ${id} is ${status}, and still accepts data`);
  },

  function whatIsShownOfOthersIsWhatTheyAre({ instances, volumes, nodes, nodebalancers, clusters, configs }) {
    const instanceOf = new Map(instances.map((each) => [each.id, each]));
    return [
      ...instances
        .filter(({ state, status }) => instanceStatus.clientState(state) !== status)
        .map(({ id, state, status }) => `instance ${id} has the state ${state} and the status ${status}`),
      ...instances
        .filter(
          ({ id, lastBooted }) =>
            lastBooted !== null && !configs.some((each) => each.id === lastBooted && each.instance === id),
        )
        .map(({ id, lastBooted }) => `instance ${id} was last booted by config ${lastBooted}, which it does not have`),
      ...volumes
        .filter(
          ({ compute_id: of, compute_label: label }) => (of === null ? null : instanceOf.get(of)?.label) !== label,
        )
        .map(({ id, compute_label: label }) => `volume ${id} has the wrong instance label ${label}`),
      ...nodes
        .filter(({ instance_id: of, cluster }) => of !== null && instanceOf.get(of)?.cluster !== cluster)
        .map(({ id, instance_id: of }) => `node ${id} is on instance ${of}, which is not in its cluster`),
      ...instances
        .filter(({ id, cluster }) => cluster !== null && !nodes.some((each) => each.instance_id === id))
        .map(({ id, cluster }) => `instance ${id} is in cluster ${cluster}, but has no node`),
      ...clusters
        .filter(
          ({ id, status }) =>
            nodebalancers.filter((each) => each.cluster === id).length !== (status === "ready" ? 1 : 0),
        )
        .map(({ id, status }) => `cluster ${id} is ${status}, which does not match its NodeBalancers`),
    ];
  },

  function poolsCountTheirNodes({ pools, nodes }) {
    return pools.flatMap(({ id, count }) => {
      const there = nodes.filter(({ pool }) => pool === id).length;
      return there === count ? [] : [`pool ${id} counts ${count} nodes and has ${there}`];
    });
  },

  function noInstanceIsClonedMoreOftenThanItMayBe({ jobs }) {
    const clones = jobs.filter(({ kind }) => kind === "clone").map(({ subject }) => subject);
    return [...new Set(clones)]
      .filter((subject) => clones.filter((each) => each === subject).length > 5)
      .map((subject) => `${subject} are more than five`);
  },

  function whatIsReplacedIsBeingReplaced({ clusters, nodes }) {
    return clusters.flatMap(({ id, isRolling }) => {
      const its = nodes.filter(({ cluster }) => cluster === id);
      const waits = its.some(({ recycleFor }) => recycleFor !== null);
      return isRolling || !waits ? [] : [`nodes of cluster ${id} wait to be replaced, but no recycling runs`];
    });
  },
];

type Things = Omit<All, "jobs">;

const numbered =
  (name: "instances" | "backups" | "clusters" | "domains" | "tags") =>
  (all: Things, id: string): boolean =>
    all[name].some((each) => String(each.id) === id);

/** Subjects of jobs, by their first words. */
const subjects: Readonly<Record<string, (all: Things, id: string) => boolean>> = {
  instance: numbered("instances"),
  "backups of": numbered("instances"),
  backup: numbered("backups"),
  cluster: numbered("clusters"),
  domain: numbered("domains"),
  image: ({ images }, id) => images.some((each) => each.id === id),
  tag: numbered("tags"),
  node: ({ nodes }, id) => nodes.some((each) => each.id === id),
  account: ({ accounts }, id) => accounts.some((each) => each.id === id),
  // The image was deleted before its files.
  "data of": ({ images }, id) => !images.some((each) => each.id === id),
};

/** The entities on which users of an account can have grants. */
const granted: Readonly<Record<EntityKind, (all: Omit<All, "users">, account: string) => readonly (number | null)[]>> =
  {
    compute: ({ instances }, account) => idsOf(instances, account),
    domain: ({ domains }, account) => idsOf(domains, account),
    image: ({ images }, account) => images.filter((each) => each.account === account).map(({ number }) => number),
    nodebalancer: ({ nodebalancers }, account) => idsOf(nodebalancers, account),
    stackscript: ({ stackscripts }, account) => idsOf(stackscripts, account),
    volume: ({ volumes }, account) => idsOf(volumes, account),
    longview: () => [],
  };

function idsOf(rows: readonly { readonly id: number; readonly account: string }[], account: string): number[] {
  return rows.filter((each) => each.account === account).map(({ id }) => id);
}
