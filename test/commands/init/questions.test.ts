import { expect, test } from 'vitest';
import { readInitChoices } from '../../../src/commands/init/choices.js';

/** Somebody at a terminal, with answers in order; `asked` are the questions. */
function terminal(answers: readonly string[]) {
  const asked: string[] = [];
  const left = [...answers];
  const ask = async (question: string) => {
    asked.push(question);
    return left.shift() ?? '';
  };
  return { asked, ask };
}

test('A wrong answer to a question of init is asked again with what was wrong', async () => {
  const { ask, asked } = terminal(['Alpine', 'sales', 'Alpine Radio', 'no domain', 'alpine.example']);
  const choices = await readInitChoices({}, { ask, cwd: '/' });
  expect(choices).toMatchObject({ kinds: ['sales'], name: 'Alpine Radio', domain: 'alpine.example' });
  expect(asked[1]).toMatch(/^No: there is no kind "Alpine"\. Name some of sales, creative, signals\.\nWhich agents/);
  expect(asked[4]).toMatch(/^No: "no domain" is no domain\. .*\nOn which domain/);
});

test('Empty answers to the questions of init are what they show, and a wrong flag is refused', async () => {
  const { ask } = terminal([]);
  expect(await readInitChoices({}, { ask, cwd: '/' })).toMatchObject({
    kinds: ['sales', 'creative', 'signals'],
    domain: 'publisher.example',
  });
  await expect(readInitChoices({ kinds: 'radio' }, { ask, cwd: '/' })).rejects.toThrow('there is no kind "radio"');
});
