const PREFIX = '_INBOX';
/** A client has one inbox for all of its requests. */
const MAX_INBOXES = 16;

/** The subscriptions with which a client of NATS receives responses. */
export class InboxSubscriptions {
  /** Start of the subjects by the id of the subscription. */
  private readonly starts = new Map<string, string>();

  add({ subject, id }: { subject: string; id: string }): void {
    if (subject.startsWith(PREFIX) && this.starts.size < MAX_INBOXES) this.starts.set(id, subject.replace(/[*>]$/, ''));
  }

  /** @returns the id of the subscription that receives a response to this subject; null if there is none */
  find(reply: string): string | null {
    for (const [id, start] of this.starts) if (reply.startsWith(start)) return id;
    return null;
  }
}
