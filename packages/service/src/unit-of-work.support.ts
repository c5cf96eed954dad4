import type { Transaction } from "./store/transaction.js";
import { UnitOfWork } from "./unit-of-work.js";

/** A unit of work without a server: what would read or write in another transaction fails. */
export function aloneIn(tx: Transaction): UnitOfWork {
  const fail = (): Promise<never> => Promise.reject(new Error("nothing reads or writes elsewhere"));
  return new UnitOfWork(tx, {
    pace: 0,
    uploadFolder: "",
    allowsLoopback: false,
    allowsPrivate: false,
    publicUrl: () => "",
    read: fail,
    write: fail,
  });
}
