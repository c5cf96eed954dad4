/** Adds `Z` to a date-time without a zone, which is in UTC. JavaScript would parse it as local time. */
export function withUtcZone(text: string): string {
  return /[Tt ][^Tt Zz+-]*$/.test(text) ? `${text}Z` : text;
}
