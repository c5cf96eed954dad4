/** An accession number, such as AB-2026-0007. */
const accession = /^[A-Z]{2}-\d{4}-\d{4}$/;

export const formats = [
  { name: "accession", type: "string" as const, validate: (value: string) => accession.test(value) },
  // The last digit of a lot is the sum of the others.
  { name: "lot", type: "number" as const, validate: isLot },
];

function isLot(value: number): boolean {
  const digits = [...String(value)].map(Number);
  const last = digits.pop();
  return digits.reduce((sum, each) => sum + each, 0) % 10 === last;
}
