// A browser takes a name and a token from an address, and keeps them in the place of those it had.
document.getElementById('sign-in')?.addEventListener('submit', (event) => {
  event.preventDefault()
  const data = new FormData(event.target as HTMLFormElement)
  const [name, token] = ['name', 'token'].map((field) => encodeURIComponent(String(data.get(field))))
  location.href = `${location.protocol}//${name}:${token}@${location.host}${location.pathname}`
})
