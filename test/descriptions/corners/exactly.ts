/** Compiles where both types are the same, in every modifier too; intersections count as the objects that they make. */
export function exactly<A, B>(_same: Same<Plain<A>, Plain<B>>): void {}

/** The fields of an object, none of which has to be given, and each of which may be undefined. */
export type Optional<T> = { [Key in keyof T]?: T[Key] | undefined };

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Every object and list written out, five deep: deep enough for all that is compared, and an end for what contains itself. */
type Plain<T, Depth extends unknown[] = []> = Depth["length"] extends 5
  ? 0
  : T extends Blob | ((...args: never[]) => unknown)
    ? T
    : T extends object
      ? { [Key in keyof T]: Plain<T[Key], [...Depth, 0]> }
      : T;
