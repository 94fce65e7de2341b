import { expect, it } from 'vitest';
import { startReceiver } from './receiver.js';

it('says within its time which webhooks have come where one does not, and counts the time from the last that came', async () => {
  const receiver = await startReceiver();
  const post = (status: string) => fetch(`${receiver.url}/hook`, { method: 'POST', body: JSON.stringify({ status }) });
  const began = performance.now();
  const waiting = receiver.received(3, 600);
  const failing = expect(waiting).rejects.toThrow(
    '2 of 3 webhooks have come, and none for 0.6 s: /hook "working"; /hook "completed"',
  );
  await post('working');
  await new Promise((resolve) => setTimeout(resolve, 300));
  await post('completed');
  await failing;
  expect(performance.now() - began).toBeGreaterThan(850);
  await receiver.received(2, 1);
  const late = receiver.received(3, 5000);
  await post('completed');
  await late;
});
