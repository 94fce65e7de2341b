/** Returns a pricing model as the trade writes it: `CPM`, `flat rate`. */
export function modelText(model: string): string {
  return /^v?cp/.test(model) ? model.toUpperCase() : model.replaceAll('_', ' ');
}
