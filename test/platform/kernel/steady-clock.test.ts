import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { SteadyClock, type TimeSources } from '../../../src/platform/kernel/steady-clock.js';
import { startMachine } from '../../kit/machine.js';
import { BOOT_TIME, collectingLog, type LogLine, temporaryFolder } from '../../kit/surroundings.js';

const START = Date.parse(BOOT_TIME);

function open(
  machine: TimeSources,
  file = path.join(temporaryFolder(), 'clock.json'),
  jumps: 'hold' | 'follow' = 'hold',
) {
  const log: LogLine[] = [];
  return { clock: new SteadyClock(machine, { file, log: collectingLog(log), jumps }), file, log };
}

describe('a steady clock', () => {
  it('follows the wall clock, and corrections of up to a minute', () => {
    const machine = startMachine();
    const { clock, log } = open(machine);
    machine.pass(HOUR_MS);
    expect(clock.now()).toBe(START + HOUR_MS);
    machine.jump(-MINUTE_MS);
    expect(clock.now()).toBe(START + HOUR_MS - MINUTE_MS);
    expect(clock.findJump()).toBeUndefined();
    expect(log).toEqual([]);
  });

  it.each([25 * HOUR_MS, 91 * DAY_MS, -25 * HOUR_MS, -91 * DAY_MS, MINUTE_MS + 1])(
    'goes on by the monotonic clock after a jump of %i ms, until the wall clock comes back',
    (ms) => {
      const machine = startMachine();
      const { clock, log } = open(machine);
      machine.jump(ms);
      expect(clock.now()).toBe(START);
      machine.pass(HOUR_MS);
      expect(clock.now()).toBe(START + HOUR_MS);
      expect(clock.findJump()).toEqual({ aheadMs: ms, wallMs: START + HOUR_MS + ms, heldMs: START + HOUR_MS });
      machine.jump(-ms);
      expect(clock.now()).toBe(START + HOUR_MS);
      expect(clock.findJump()).toBeUndefined();
      expect(log.map(({ level }) => level)).toEqual(['error', 'warn']);
    },
  );

  it('follows a jump that is accepted, and the next one is another', () => {
    const machine = startMachine();
    const { clock } = open(machine);
    machine.jump(DAY_MS);
    expect(clock.accept()).toMatchObject({ aheadMs: DAY_MS });
    expect(clock.now()).toBe(START + DAY_MS);
    expect(clock.accept()).toBeUndefined();
    machine.jump(-DAY_MS);
    expect(clock.now()).toBe(START + DAY_MS);
  });

  it('follows a machine that was suspended: its uptime says so', () => {
    const machine = startMachine();
    const { clock } = open(machine);
    machine.suspend(8 * HOUR_MS);
    expect(clock.now()).toBe(START + 8 * HOUR_MS);
    expect(clock.findJump()).toBeUndefined();
  });

  it('follows every jump where the settings say so', () => {
    const machine = startMachine();
    const { clock, log } = open(machine, undefined, 'follow');
    machine.jump(DAY_MS);
    expect(clock.now()).toBe(START + DAY_MS);
    expect(log).toHaveLength(1);
  });
});

describe('over a restart', () => {
  it('of the process, however long that took, a jump is told by the uptime', () => {
    const machine = startMachine();
    const { clock, file } = open(machine);
    clock.remember();
    machine.pass(3 * DAY_MS);
    expect(open(machine, file).clock.findJump()).toBeUndefined();
    machine.jump(25 * HOUR_MS);
    const again = open(machine, file).clock;
    expect(again.findJump()).toMatchObject({ aheadMs: 25 * HOUR_MS, heldMs: START + 3 * DAY_MS });
    again.remember();
    // Held time is written down as well: another restart believes the wall clock no more than this one.
    expect(open(machine, file).clock.findJump()).toMatchObject({ aheadMs: 25 * HOUR_MS });
    again.accept();
    expect(open(machine, file).clock.findJump()).toBeUndefined();
  });

  it.each([
    ['an hour', HOUR_MS, false],
    ['a day and an hour', 25 * HOUR_MS, true],
    ['minus an hour', -HOUR_MS, true],
  ])('of the machine, %s is doubted: %s', (_what, offMs, isHeld) => {
    const machine = startMachine();
    const { clock, file } = open(machine);
    clock.remember();
    expect(open(machine.reboot(offMs), file).clock.findJump() !== undefined).toBe(isHeld);
  });

  it('a file that says nothing is not asked', () => {
    const file = path.join(temporaryFolder(), 'clock.json');
    for (const text of ['', '{', '[]', '{"now_ms":"1"}']) {
      writeFileSync(file, text);
      expect(open(startMachine(), file).clock.now()).toBe(START);
    }
  });
});
