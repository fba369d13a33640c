/**
 * Keeps a shared store connected: connects with a deadline, reports an outage,
 * and connects again after pauses that grow.
 *
 * @module
 */
import { type SharedStore, type StoreError, timeoutError } from "./store.ts";

const CONNECT_DEADLINE_MS = 5000;

/** The pause before connecting again doubles from the first to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/** The time after which a connection counts as stable. */
const STABLE_MS = 60_000;

/** Options of a {@linkcode StoreConnection}. */
export interface StoreConnectionOptions {
  /** The store of all processes. */
  readonly store: SharedStore;
  /** Logs the begin and the end of an outage. */
  readonly warn: (line: string) => void;
  /** Called when the store cannot decide about what is pending. */
  readonly onFailure: () => void;
}

type State = "connecting" | "connected" | "waiting" | "closed";

/** The connection to a shared store. */
export class StoreConnection {
  /** How many outages of the store have begun. */
  outages = 0;
  #state: State = "waiting";
  /**
   * The timer of the state: the deadline of connecting, the time until the
   * connection counts as stable, or the pause.
   */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  /** The reason of the outage in the log; undefined outside of an outage. */
  #reported: string | undefined;

  /** Makes a connection that is not open yet. */
  constructor(private readonly options: StoreConnectionOptions) {}

  /** Whether the store decides. */
  get isConnected(): boolean {
    return this.#state === "connected";
  }

  /**
   * Connects. If that fails, it is tried again in the background.
   *
   * @throws {StoreError} if a setting is wrong (`permanent`)
   */
  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      const failure = error as StoreError;
      if (!failure.permanent) return this.fail(failure);
      await this.close();
      throw error;
    }
  }

  /** Ends a connection that does not work, and connects again later. */
  fail(error: StoreError): void {
    this.options.store.close();
    if (this.#state !== "closed") this.#reconnectLater(error);
    this.options.onFailure();
  }

  /** Closes the connection for good, when the pending decisions have settled. */
  async close(pending?: Promise<unknown>): Promise<void> {
    this.#state = "closed";
    clearTimeout(this.#timer);
    await pending;
    this.options.store.close();
  }

  #enter(state: State, timeMs: number, onTime: () => void): void {
    this.#state = state;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(onTime, timeMs);
  }

  async #connect(): Promise<void> {
    const { store, warn } = this.options;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const error = timeoutError(CONNECT_DEADLINE_MS);
    this.#enter("connecting", CONNECT_DEADLINE_MS, () => reject(error));
    const connected = store.connect((error) => {
      if (this.isConnected) this.fail(error);
    });
    await Promise.race([connected, late]);
    // close() may have been called in the meantime.
    if (this.#state !== "connecting") return store.close();
    const onStable = () => this.#pauseMs = FIRST_PAUSE_MS;
    this.#enter("connected", STABLE_MS, onStable);
    if (this.#reported === undefined) return;
    this.#reported = undefined;
    warn(`Rate limit: ${store.name} is in use again`);
  }

  /** Reports an outage, and connects after a random pause. */
  #reconnectLater({ message, permanent }: StoreError): void {
    const { store, warn } = this.options;
    const isNew = this.#reported === undefined;
    if (isNew) this.outages++;
    // If the reason is permanent, the operator must change a setting.
    if (isNew || (permanent && message !== this.#reported)) {
      this.#reported = message;
      warn(
        `Rate limit: cannot use ${store.name}: ${message}; this process counts by itself until it can`,
      );
    }
    const pauseMs = this.#pauseMs * (0.5 + Math.random() / 2);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    const retry = () => this.#connect().catch((error) => this.fail(error));
    this.#enter("waiting", pauseMs, retry);
  }
}
