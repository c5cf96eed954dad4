/** Returns a number with its unit: `1 request`, `3 requests`, `12,345 bytes`. */
export function countOf(count: number, unit: string): string {
  return `${formatCount(count)} ${count === 1 ? unit : `${unit}s`}`;
}

/** Separates thousands from 10,000 on: shorter numbers are read at a glance. */
function formatCount(count: number): string {
  return Number.isInteger(count) && count >= 10_000 ? String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",") : String(count);
}

const byteUnits = [
  [1000 ** 4, "TB"],
  [1000 ** 3, "GB"],
  [1000 ** 2, "MB"],
  [1000, "kB"],
  [1024 ** 4, "TiB"],
  [1024 ** 3, "GiB"],
  [1024 ** 2, "MiB"],
  [1024, "KiB"],
] as const;

/** Returns a size in its largest whole unit: `5 GB`, `64 KiB`, `12,345 bytes`. */
export function bytesInWords(bytes: number): string {
  const unit = bytes === 0 ? undefined : byteUnits.find(([size]) => bytes % size === 0);
  return unit === undefined ? countOf(bytes, "byte") : `${formatCount(bytes / unit[0])} ${unit[1]}`;
}
