/** What a job is about: `instance 5`. All jobs of a subject are cancelled together. */
export function jobSubject(kind: JobSubjectKind, id: number | string): string {
  return `${kind} ${id}`;
}

/** The id in a subject. */
export function subjectId(subject: string): string {
  return subject.slice(subject.lastIndexOf(" ") + 1);
}

type JobSubjectKind =
  | "account"
  | "backup"
  // The backup service of an instance.
  | "backups of"
  // The clones that copy from an instance.
  | "clones of"
  | "cluster"
  // The files of an image.
  | "data of"
  // The zone of a domain.
  | "domain"
  | "image"
  | "instance"
  | "node"
  | "tag";
