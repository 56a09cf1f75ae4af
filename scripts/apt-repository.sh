#!/usr/bin/env bash
# Lays out a signed repository for apt: apt-repository.sh PACKAGES REPOSITORY KEY [ADDRESS]
#
# PACKAGES is the folder of the .deb files, REPOSITORY the folder that a web server shows at ADDRESS (by packaging/project.toml), KEY
# what gpg knows the signing key by; it stays in gpg's own folder (GNUPGHOME). Packages that the repository has stay in it, so older versions can be installed.
set -euo pipefail

if [ $# -lt 3 ] || [ -z "$3" ]; then
  echo "usage: apt-repository.sh PACKAGES REPOSITORY KEY [ADDRESS]; with make: make apt KEY=ID" >&2
  exit 64
fi
packages=$1 repository=$2 key=$3
address=${4:-$(sed -n 's/^repository = "\(.*\)"$/\1/p' "$(dirname "$0")/../packaging/project.toml")}
for tool in apt-ftparchive gpg; do
  command -v "$tool" > /dev/null || { echo "apt-repository: $tool is not installed (packages apt-utils, gpg)" >&2 && exit 1; }
done
shopt -s nullglob
found=("$packages"/*.deb)
if [ ${#found[@]} = 0 ]; then
  echo "apt-repository: there are no packages in $packages; make deb makes them" >&2
  exit 1
fi

suite=stable component=main
pool=$repository/pool/$component/d/deadwax
mkdir -p "$pool"
cp --update "${found[@]}" "$pool"
cd "$repository"

for architecture in $(for file in pool/"$component"/d/deadwax/*.deb; do dpkg-deb -f "$file" Architecture; done | sort -u); do
  index=dists/$suite/$component/binary-$architecture
  mkdir -p "$index"
  apt-ftparchive --arch "$architecture" packages "pool/$component" > "$index/Packages"
  gzip -9nkf "$index/Packages"
done

# Written beside and exchanged: whoever fetches it meanwhile gets a list and a signature that fit.
apt-ftparchive \
  -o APT::FTPArchive::Release::Origin=Deadwax -o APT::FTPArchive::Release::Label=Deadwax \
  -o APT::FTPArchive::Release::Suite=$suite -o APT::FTPArchive::Release::Codename=$suite \
  -o APT::FTPArchive::Release::Components=$component \
  -o APT::FTPArchive::Release::Architectures="$(cd "dists/$suite/$component" && echo binary-* | sed 's/binary-//g')" \
  release "dists/$suite" > Release.new
gpg --batch --yes --local-user "$key" --clearsign --output InRelease.new Release.new
gpg --batch --yes --local-user "$key" --armor --detach-sign --output Release.gpg.new Release.new
for name in Release.gpg Release InRelease; do mv "$name.new" "dists/$suite/$name"; done

gpg --batch --yes --export --output deadwax-archive-keyring.gpg "$key"
cat > deadwax.sources << END
Types: deb
URIs: $address
Suites: $suite
Components: $component
Signed-By: /usr/share/keyrings/deadwax-archive-keyring.gpg
END
echo "$PWD: $(grep -c ^Package: dists/$suite/$component/binary-*/Packages) packages"
