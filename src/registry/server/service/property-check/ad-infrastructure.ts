/** The type of a domain of the advertising trade, where nobody reads, watches or listens. */
type InfrastructureType = 'ad_server' | 'ad_exchange' | 'cdn' | 'tracker' | 'intermediary';

/** Why a domain of each type is no inventory. */
const REASONS: Readonly<Record<InfrastructureType, string>> = {
  ad_server: 'An ad server: ads are served from it, and no page is.',
  ad_exchange: 'An exchange or supply platform: it sells inventory of others.',
  cdn: 'A network that delivers files of others.',
  tracker: 'Measures or counts for others.',
  intermediary: 'Stands between a page and its reader: a cache, a translation or a sync of cookies.',
};

/** Domains that turn up in lists of placements and are no inventory; all that is below one is of its type. */
const INFRASTRUCTURE: Readonly<Record<InfrastructureType, readonly string[]>> = {
  ad_server: [
    ...['2mdn.net', 'doubleclick.net', 'googleadservices.com', 'googlesyndication.com', 'googletagservices.com'],
    ...[
      'adform.net',
      'adnxs-simple.com',
      'adsafeprotected.com',
      'adtechus.com',
      'advertising.com',
      'amazon-adsystem.com',
    ],
    ...[
      'atdmt.com',
      'flashtalking.com',
      'kevel.co',
      'adzerk.net',
      'serving-sys.com',
      'sizmek.com',
      'smartadserver.com',
    ],
    ...['springserve.com', 'fwmrm.net', 'innovid.com', 'extremereach.io', 'celtra.com', 'yieldlab.net'],
  ],
  ad_exchange: [
    ...[
      '33across.com',
      'adnxs.com',
      'bidswitch.net',
      'bidtellect.com',
      'casalemedia.com',
      'contextweb.com',
      'criteo.com',
    ],
    ...[
      'criteo.net',
      'districtm.io',
      'gumgum.com',
      'improvedigital.com',
      'indexww.com',
      'lijit.com',
      'media.net',
      'mgid.com',
    ],
    ...[
      'openx.net',
      'outbrain.com',
      'pubmatic.com',
      'rubiconproject.com',
      'sharethrough.com',
      'smaato.net',
      'sonobi.com',
    ],
    ...[
      'sovrn.com',
      'spotx.tv',
      'spotxchange.com',
      'taboola.com',
      'teads.tv',
      'triplelift.com',
      'unrulymedia.com',
      'yieldmo.com',
    ],
  ],
  cdn: [
    ...[
      'akamaihd.net',
      'akamaized.net',
      'azureedge.net',
      'cloudflare.net',
      'cloudfront.net',
      'edgecastcdn.net',
      'fastly.net',
    ],
    ...[
      'fbcdn.net',
      'googleusercontent.com',
      'googlevideo.com',
      'gstatic.com',
      'jsdelivr.net',
      'llnwd.net',
      'ytimg.com',
    ],
  ],
  tracker: [
    ...[
      'adjust.com',
      'agkn.com',
      'appsflyer.com',
      'branch.io',
      'chartbeat.net',
      'comscore.com',
      'crwdcntrl.net',
      'demdex.net',
    ],
    ...[
      'doubleverify.com',
      'everesttech.net',
      'google-analytics.com',
      'googletagmanager.com',
      'hotjar.com',
      'imrworldwide.com',
    ],
    ...['krxd.net', 'moatads.com', 'omtrdc.net', 'quantserve.com', 'scorecardresearch.com', 'segment.io', 'tapad.com'],
  ],
  intermediary: [
    ...[
      'adsrvr.org',
      'ampproject.org',
      'bluekai.com',
      'exelator.com',
      'liadm.com',
      'mathtag.com',
      'mookie1.com',
      'rlcdn.com',
    ],
    ...['safeframe.com', 'translate.goog', 'turn.com', 'w55c.net'],
  ],
};

const TYPES: ReadonlyMap<string, InfrastructureType> = new Map(
  (Object.keys(INFRASTRUCTURE) as InfrastructureType[]).flatMap((type) =>
    INFRASTRUCTURE[type].map((domain) => [domain, type] as const),
  ),
);

/** Returns what a domain, or the one that it stands below, is in the trade where it is no inventory, with the reason; undefined of others. */
export function adInfrastructure(
  domain: string,
): { readonly type: InfrastructureType; readonly reason: string } | undefined {
  for (let name = domain; ; ) {
    const type = TYPES.get(name);
    if (type !== undefined) return { type, reason: REASONS[type] };
    const dot = name.indexOf('.');
    if (dot < 0) return undefined;
    name = name.slice(dot + 1);
  }
}
