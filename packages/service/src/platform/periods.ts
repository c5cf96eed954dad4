const form =
  /^P(?:(?<years>\d+)Y)?(?:(?<months>\d+)M)?(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:\.\d+)?)S)?)?$/;

/**
 * The time after an ISO 8601 duration, both in milliseconds since 1970. Years and months follow the calendar, in UTC. NaN beyond the range of dates.
 */
export function addPeriod(from: number, duration: string): number {
  const parts = form.exec(duration)?.groups;
  if (parts === undefined) throw new RangeError(`${duration} is not a valid ISO 8601 duration`);
  const many = (name: string): number => Number(parts[name] ?? 0);
  const date = new Date(from);
  date.setUTCFullYear(date.getUTCFullYear() + many("years"), date.getUTCMonth() + many("months"));
  const days = many("weeks") * 7 + many("days");
  const seconds = ((days * 24 + many("hours")) * 60 + many("minutes")) * 60 + many("seconds");
  return new Date(date.getTime() + seconds * 1000).getTime();
}
