/** The message bus of this program. Its names only resemble those of the service. */
export interface BusMessage {
  kind: "email" | "sms" | "log";
  size: number;
  recipients: string[];
  options?: { sendAt?: string; trackOpens?: boolean };
}

const queue: BusMessage[] = [];

export function sendMessage(message: BusMessage): number {
  return queue.push({ ...message, options: { sendAt: "now", trackOpens: true, ...message.options } });
}

export const listMessages = (limit = 500): BusMessage[] => queue.slice(0, limit);

export function pauseChannel(kind: BusMessage["kind"]): void {
  for (let at = queue.length - 1; at >= 0; at -= 1) if (queue[at]?.kind === kind) queue.splice(at, 1);
}

export const bytes = (): number => listMessages().reduce((sum, { size, recipients }) => sum + size * recipients.length, 0);
