// Screenshots of the viewer for docs/pictures, by the harness of its tests: the flexible Camry as it turns into a corner.
//   node scripts/lib/viewer_pictures.mjs FOLDER
import { join } from 'node:path';
import { launch, makeRun, open, setTime, view } from '../../viewer/test/harness.mjs';

const folder = process.argv[2], instant = 3.3;
const run = makeRun('cornering-flexible.h5', 'camry/scenarios/cornering-flexible.yaml', '--end', '6');
const server = await view(run), browser = await launch();
for (const [name, colorScheme] of [['viewer.png', 'light'], ['viewer-dark.png', 'dark']]) {
  const page = await open(browser, server.address, { colorScheme });
  await page.click('#tab-display');
  await page.selectOption('#coloring', 'displacement');
  await setTime(page, instant);
  // A picture that stands is drawn again with smooth edges, and plots may still be on their way.
  await page.waitForTimeout(2500);
  await page.screenshot({ path: join(folder, name) });
  if (page.problems.length > 0) throw new Error(page.problems.join('\n'));
  await page.context().close();
}
await browser.close();
server.stop();
