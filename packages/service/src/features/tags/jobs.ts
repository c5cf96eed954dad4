import { subjectId } from "../../platform/job-subjects.js";
import type { JobHandlers } from "../../platform/jobs.js";
import { deleteTagInPart } from "./lifecycle.js";

export const tagJobs: JobHandlers = {
  /** Continues the deletion of a process that ended. */
  "delete-tag": async (work, { subject, data: { user } }) => {
    await deleteTagInPart(work, { id: Number(subjectId(subject)), user: String(user), resumesIn: 0 });
  },
};
