const form = /^([+-]?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Adds an ISO 8601 duration to a moment; a leading `-` subtracts it. In milliseconds since 1970. */
export function addDuration(moment: number, duration: string): number {
  const parts = form.exec(duration);
  if (parts === null || /[PT]$/.test(duration))
    throw new Error(`"${duration}" is not a valid ISO 8601 duration. Write one such as PT30S or -P1D.`);
  const way = parts[1] === "-" ? -1 : 1;
  const [years, months, weeks, days, hours, minutes, seconds] = parts
    .slice(2)
    .map((part: string | undefined) => way * Number(part ?? 0));
  const date = new Date(moment);
  date.setUTCFullYear(date.getUTCFullYear() + (years ?? 0), date.getUTCMonth() + (months ?? 0));
  const whole = ((weeks ?? 0) * 7 + (days ?? 0)) * 86_400 + (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
  return date.getTime() + whole * 1000;
}
