export interface NewSeed {
  name: string;
  family: string;
  grams: number;
  organic: boolean;
  accession?: string;
  lot?: number;
}

export interface Seed extends NewSeed {
  id: number;
}

export interface Photo {
  file: string;
  caption: string;
  bytes: number;
}

export const seeds = new Map<number, Seed>();
export const photosOf = new Map<number, Photo[]>();

let last = 0;

export function nextId(): number {
  last += 1;
  return last;
}
