import { renderingOf } from "../../dns/zone.js";
import { subjectId } from "../../platform/job-subjects.js";
import type { JobHandlers } from "../../platform/jobs.js";
import { inTurns } from "../../platform/turns.js";

export const domainJobs: JobHandlers = {
  render: async ({ tx }, { subject }) => {
    const domain = await tx.domains.get(Number(subjectId(subject)));
    if (domain?.status !== "active") return;
    const { lines, problems } = await inTurns(renderingOf(domain, await tx.records.findInTurns({ domain: domain.id })));
    const zone = { id: domain.id, lines };
    await ((await tx.zones.get(domain.id)) === undefined ? tx.zones.add(zone) : tx.zones.update(zone));
    const errors = shortened(problems);
    if (errors !== domain.errors) await tx.domains.patch(domain, { errors });
  },
};

/** The diagnostics, as far as they fit the field. */
function shortened(problems: readonly string[]): string {
  let text = "";
  for (const [index, problem] of problems.entries()) {
    const more = `\n… and ${problems.length - index} more`;
    if (text.length + problem.length + more.length > maxCommentCharacters) return text + more;
    text += index === 0 ? problem : `\n${problem}`;
  }
  return text;
}

const maxCommentCharacters = 65_535;
