/**
 * Time that only a test lets pass.
 *
 * @module
 */
import { stub } from "@std/testing/mock";

/** Intervals that a test lets pass. */
interface FakeIntervals extends Disposable {
  /** Runs what is due in so many milliseconds. */
  pass(ms: number): void;
}

/** Replaces the intervals that begin from now on; each is due when `pass()` says so. */
export function fakeIntervals(): FakeIntervals {
  const { clearInterval } = globalThis;
  const intervals = new Map<unknown, (ms: number) => void>();
  const stack = new DisposableStack();
  const start: (run: () => void, ms: number) => unknown = (run, ms) => {
    const id = {};
    let rest = 0;
    intervals.set(id, (passed) => {
      for (rest += passed; rest >= ms; rest -= ms) run();
    });
    return id;
  };
  const end: typeof clearInterval = (id) => {
    if (!intervals.delete(id)) clearInterval(id);
  };
  stack.use(stub(globalThis, "setInterval", start as typeof setInterval));
  stack.use(stub(globalThis, "clearInterval", end));
  return {
    pass: (ms) => intervals.forEach((run) => run(ms)),
    [Symbol.dispose]: () => stack.dispose(),
  };
}
