/** What a test of growth has to find at each run. */
export function comparePairs(operations) {
  let same = 0;
  for (const one of operations) for (const another of operations) same += one.name === another.name ? 1 : 0;
  return same;
}
