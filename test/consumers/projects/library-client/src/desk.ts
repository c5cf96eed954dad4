import {
  createLoan,
  getBook,
  getLoan,
  listLoans,
  reserveBook,
  returnLoan, // concerns: operation-renamed
  waitForBook,
  waitForLoan,
  withResponse,
  type Client,
  type GetLoanRequest,
  type Loan,
  type NewLoan, // concerns: schema-renamed
} from "@corpus/library";

type LoanId = GetLoanRequest["path"]["loanId"]; // concerns: parameter-renamed

const DEFAULTS = { weeks: 4 } satisfies Partial<NewLoan>; // concerns: schema-renamed, request-property-removed

const TEXTS: Record<Loan["status"], string> = { open: "lent", over: "back" };

/** The terms of the house: their weeks are not those of a loan. */
export const terms = { weeks: 6, book_id: "none" };

export async function lend(client: Client, bookId: number): Promise<Loan> {
  await reserveBook(client, { path: { bookId } });
  return createLoan(client, { // may: limit-tightened
    body: { // concerns: request-property-required-added
      book_id: bookId,
      weeks: DEFAULTS.weeks, // concerns: request-property-removed
    },
  });
}

export async function lendAll(client: Client, ids: number[], extend: (loan: NewLoan) => NewLoan): Promise<number[]> { // concerns: schema-renamed
  const loans: Loan[] = [];
  for (const book_id of ids) {
    const body = extend({ book_id }); // concerns: request-property-required-added
    loans.push(await createLoan(client, { body })); // may: limit-tightened
  }
  return loans.map((loan) => loan.id);
}

export async function bringBack(client: Client, loanId: LoanId): Promise<string> {
  const { data, status } = await withResponse(
    returnLoan(client, { // concerns: operation-renamed
      path: {
        loanId, // concerns: parameter-renamed
      },
    }),
  );
  const book = await getBook(client, { path: { bookId: data.book_id } }); // concerns: response-null-added
  return `${status} ${TEXTS[data.status]} ${book.title.trim()}`; // concerns: response-type-changed
}

export async function overdue(client: Client): Promise<number[]> {
  const loans = await listLoans(client); // concerns: parameter-required-added
  return loans.filter(({ status }) => status === "open").map(({ id }) => id); // concerns: response-type-changed
}

export async function dueIn(client: Client, loanId: number): Promise<number> {
  const loan = await getLoan(client, { path: { loanId } }); // concerns: parameter-renamed
  if (loan.book_id !== null) console.log(loan.book_id.toString());
  return loan.weeks * 7; // concerns: response-type-changed
}

export async function settle(client: Client, loanId: number, bookId: number): Promise<string> {
  const over = await waitForLoan(client, loanId, "over");
  await waitForBook(client, bookId, "available", { deadline: new Date(Date.now() + 5_000) });
  await waitForBook(client, bookId, "lost"); // concerns: state-removed, response-enum-value-removed
  const { weeks = 4 } = over; // concerns: response-type-changed
  return String(weeks);
}

export const handlers = {
  lend: createLoan, // may: limit-tightened, request-property-required-added, request-property-removed
  reserve: reserveBook,
  terms: () => terms.weeks,
};
