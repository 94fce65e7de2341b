/**
 * A process that builds one campaign as pictures in ten sizes, then again, and says as JSON what each took:
 *
 *   node test/bench/draw-set.mjs en|ja
 */
import { buildCreative } from '../../dist/creative/build/build.js';
import { readBrand } from '../../dist/creative/compose/brand.js';
import { ImageProcessor } from '../../dist/creative/compose/pictures/image-processor.js';
import { houseFormats } from '../../dist/creative/formats/catalog/catalog.js';
import { concreteFormat } from '../../dist/creative/formats/catalog/parameters.js';

const agentUrl = 'https://seller.example';
const sizes = [
  '300x250',
  '728x90',
  '320x50',
  '160x600',
  '336x280',
  '300x600',
  '970x250',
  '970x90',
  '320x480',
  '1080x1080',
];
const texts = {
  en: { headline: '20% off trail running shoes', body: 'Free shipping until Sunday.', callToAction: 'Shop now' },
  ja: { headline: 'トレイルシューズが20%オフ', body: '日曜日まで送料無料', callToAction: '今すぐ購入' },
};
const language = process.argv[2];
const copy = { language, ...texts[language] };
const template = houseFormats(agentUrl).find(({ format_id }) => format_id.id === 'display_image');
const images = new ImageProcessor();
const colors = { primary: '#1b4332', secondary: '#f4a259' };

async function drawSet() {
  const begin = performance.now();
  const cpuBefore = process.cpuUsage();
  let bytes = 0;
  for (const size of sizes) {
    const [width, height] = size.split('x').map(Number);
    const built = await buildCreative({
      message: copy.headline,
      brand: readBrand({ name: 'Acme Outdoor', colors }, { field: 'brand' }),
      format: concreteFormat(template, { agent_url: agentUrl, id: 'display_image', width, height }),
      copyWriter: { write: async () => copy },
      images,
      assetBytes: () => Promise.reject(new Error('nothing is fetched')),
      publish: ({ name }) => `https://cdn.example/${name}`,
    });
    bytes += built.files[0].bytes.length;
  }
  const cpu = process.cpuUsage(cpuBefore);
  return { ms: performance.now() - begin, cpuMs: (cpu.user + cpu.system) / 1000, bytes };
}

process.stdout.write(JSON.stringify({ first: await drawSet(), again: await drawSet() }));
